"""What operators see and do: one module a subject. Source: PROTOCOL §2.8."""
