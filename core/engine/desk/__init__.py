"""What the window asks of the desk, and what the desk answers: a module a page.

The desk is a process of its own beside the engine (``core.desk``). It looks things up and runs
errands (downloads, exports, exams), so that no errand can disturb practice and the window can ask
while nothing practises.
"""
