"""The catalogue of models, their download and export, and the LoRA policy with its tokenizer."""
