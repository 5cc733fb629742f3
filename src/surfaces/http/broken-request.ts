// Answers bytes that are not an HTTP request, or only part of one, like any other refusal.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, fail } from '#core/errors.ts'
import { errorBody } from '../doors/error-body.ts'
import type { Admission } from './admission.ts'
import { type CrossOrigin, requestIdOf } from './every-response.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export async function answerBrokenRequest(
  thrown: NodeJS.ErrnoException,
  socket: Socket,
  { admission, crossOrigin }: { admission: Admission; crossOrigin: CrossOrigin },
): Promise<void> {
  // In the middle of another response, the client would read a refusal as part of it.
  const answering = (socket as { _httpMessage?: ServerResponse })._httpMessage
  if (thrown.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  const { headers } = await admission.countBroken(socket.remoteAddress ?? '')
  const code = codes[thrown.code ?? '']
  const error =
    code === undefined
      ? fail('bad_request', { message: 'This is not an HTTP request.' })
      : fail(code)
  const body = JSON.stringify(errorBody(error))
  const lines = Object.entries({
    ...headers,
    ...crossOrigin.headers({}, undefined),
    'x-request-id': requestIdOf({ headers: {} }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`
  socket.end(`${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
