"""What wraps the frozen folder for each system, and the smoke test of the result."""
