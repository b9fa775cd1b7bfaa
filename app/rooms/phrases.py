"""The phrases players may say to each other; their texts are the client's. Source: PROTOCOL §3 (`say`)."""

PHRASES = frozenset({"hello", "luck", "hurry", "wait", "nice", "sorry", "thanks", "bye"})
