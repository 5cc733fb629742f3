// The head of what a CGI program answers. Source: RFC 3875, section 6.

export interface CgiHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const headBytesMax = 16_384

/**
 * Reads the head from the start of a program's output and leaves the rest. Resolves to undefined when the output ends
 * first. Throws an Error for a head that is not one.
 */
export async function readCgiHead(
  output: AsyncIterator<Buffer>,
): Promise<{ head: CgiHead; rest: Buffer } | undefined> {
  let read = Buffer.alloc(0)
  for (;;) {
    const { value, done } = await output.next()
    if (done) return undefined
    read = Buffer.concat([read, value])
    const end = /\r?\n\r?\n/.exec(read.subarray(0, headBytesMax).toString('latin1'))
    if (end !== null) {
      const head = parseCgiHead(read.subarray(0, end.index).toString('latin1'))
      return { head, rest: read.subarray(end.index + end[0].length) }
    }
    if (read.length > headBytesMax) throw new Error('The program answered without a head.')
  }
}

function parseCgiHead(text: string): CgiHead {
  const pairs = text.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error('The head of the program’s answer has a line without a name.')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const { status = '200', ...headers } = Object.fromEntries(pairs)
  return { status: Number.parseInt(status, 10), headers }
}
