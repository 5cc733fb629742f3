import type { IncomingMessage } from 'node:http'

/** Only requests for these addresses may become WebSockets. */
export const isBrowserUpgrade = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/api\/browsers\/[^/]+\/connect\?/.test(url) && headers.upgrade?.toLowerCase() === 'websocket'
