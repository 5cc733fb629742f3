/**
 * How long before a server closes an idle connection, by its `Keep-Alive` header, it is used no more. A request that
 * meets the close is lost, and a POST is never repeated. On a busy machine either side may be late by seconds.
 */
export const keepAliveMarginMs = 4_000
