"""What can be trained here: the catalogue, and the LoRA policy with its tokenizer."""
