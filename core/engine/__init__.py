"""The round, the loop around it, and the words in which both speak to the outside."""
