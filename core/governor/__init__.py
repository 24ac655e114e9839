"""When a node practises: the rules, the decision, and the loop that asks the sensors."""
