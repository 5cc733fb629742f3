/** Connections to one browser at once. */
export const connectionsPerBrowserMax = 10
/** People who look on at one browser at once. */
export const viewersPerBrowserMax = 3
/**
 * Without `keepAlive`, a browser ends this long after its last connection. A broken connection can be made again until
 * then.
 */
export const reconnectWithinMs = 60_000
/** Bytes that the pages of one browser may send and receive. */
export const egressBytesMax = 10_000_000_000
/** A connection of a page without traffic ends after this time. */
export const pageIdleTimeoutMs = 300_000
export const launchTimeoutMs = 30_000
/** How soon a browser ends that was released. */
export const lookIntervalMs = 5_000
/** Rows of sessions that are over. */
export const keptDays = 30
export const endingsPerRound = 50
export const recordingsPerRound = 20
