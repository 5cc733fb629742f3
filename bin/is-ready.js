// Ends with 0 if the gateway in this container answers and reaches its database, and with 1 otherwise.
const { PORT } = process.env
const ready = await fetch(`http://127.0.0.1:${PORT || 4020}/readyz`).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = ready ? 0 : 1
