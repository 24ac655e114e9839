"""What the desktop has beside the window: tray, notifications, one instance, updates."""
