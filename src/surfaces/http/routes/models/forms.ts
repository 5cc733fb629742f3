// Reads forms with files, which a surface of models takes instead of JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import { type FormFile, isForm, type SentForm } from '#features/models/surfaces/form.ts'

/** The largest form: 25 megabytes of files, and what is around them. */
export const formBytesMax = 26_000_000
const partsMax = 100
/** As of other bodies: each so many bytes count as one more request. */
const bytesPerPoint = 250_000

/** In this part of the server, forms are read as `SentForm`. Other bodies stay JSON. */
export function takeForms(door: FastifyInstance): void {
  door.addContentTypeParser(
    /^multipart\/form-data/i,
    { parseAs: 'buffer', bodyLimit: formBytesMax },
    async (request: FastifyRequest, bytes: Buffer) =>
      await readForm(bytes, request.headers['content-type'] ?? ''),
  )
}

/** Counts a form whose length was not announced. Throws `rate_limited`. */
export async function weighForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers['transfer-encoding'] === undefined || !isForm(request.body)) return
  const sizes = [...request.body.files.values()].flat().map(({ bytes }) => bytes.length)
  const points = Math.floor(sizes.reduce((sum, size) => sum + size, 0) / bytesPerPoint)
  if (points > 0) await request.server.weigh(request, reply, points)
}

/** Throws `bad_request`. */
async function readForm(bytes: Buffer, type: string): Promise<SentForm> {
  const parsed = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch((cause) => {
      throw fail('bad_request', {
        message: 'The body is not a valid multipart form. Send it as multipart/form-data.',
        cause,
      })
    })
  const texts = new Map<string, string[]>()
  const files = new Map<string, FormFile[]>()
  let parts = 0
  for (const [sentName, value] of parsed) {
    parts += 1
    if (parts > partsMax)
      throw fail('bad_request', { message: `The form has more than ${partsMax} parts.` })
    const name = sentName.replace(/\[\]$/, '')
    if (typeof value === 'string') texts.set(name, [...(texts.get(name) ?? []), value])
    else
      files.set(name, [
        ...(files.get(name) ?? []),
        { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) },
      ])
  }
  return { texts, files }
}
