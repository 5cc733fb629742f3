/** What the tests of this worker have started so far. */
export const starts = { gateways: 0, databases: 0 }
