"""The model as it is trained: weights, adapter, tokenizer, prompts."""
