"""The monitor at work: what is watched, how it is asked, what becomes of the answers, and who cares for it all."""
