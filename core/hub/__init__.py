"""A meeting point that anyone can host: keeps the newest rollouts and hands out fair samples."""
