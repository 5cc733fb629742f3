// What comes in and is no HTTP request, or stops in the middle of one, is answered like any other refusal.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '#core/errors.ts'
import type { Admission } from './admission.ts'
import { errorBody } from './error-body.ts'
import { crossOriginHeaders, requestIdOf } from './every-response.ts'

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers of a request have at most 16384 bytes together.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time. Send it again, faster.',
}

export async function answerBrokenRequest(
  thrown: NodeJS.ErrnoException,
  socket: Socket,
  admission: Admission,
): Promise<void> {
  // A refusal in the middle of another answer would be read as a part of it.
  const answering = (socket as { _httpMessage?: ServerResponse })._httpMessage
  if (thrown.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  const { headers } = await admission.countBroken(socket.remoteAddress ?? '')
  const message = messages[thrown.code ?? ''] ?? 'This is not an HTTP request.'
  const error = fail('bad_request', { message })
  const body = JSON.stringify(errorBody(error))
  const lines = Object.entries({
    ...headers,
    ...crossOriginHeaders({}),
    'x-request-id': requestIdOf({ headers: {} }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`
  socket.end(`${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
