import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import type { Stream } from './output.ts'
import { UsageError } from './usage-error.ts'

/** Standard input. */
export interface Input {
  readonly isTerminal: boolean
  readonly stream: Readable
  /** All of it. */
  readAll(): Promise<Buffer>
  /** Asks a person. Throws UsageError without a terminal: the command never waits for an answer that cannot come. */
  ask(
    question: string,
    options: { readonly isSecret: boolean; readonly instead: string },
  ): Promise<string>
}

export function openInput(stream: Readable & { isTTY?: boolean }, terminal: Stream): Input {
  const isTerminal = stream.isTTY === true
  return {
    isTerminal,
    stream,
    async readAll() {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(Buffer.from(part))
      return Buffer.concat(parts)
    },
    async ask(question, { isSecret, instead }) {
      if (!isTerminal) throw new UsageError(`There is no terminal to ask. ${instead}`)
      terminal.write(question)
      // The editor of lines echoes what is typed, so a secret gets an output that drops it.
      const dropped = new Writable({ write: (_chunk, _encoding, done) => done() })
      const echo = new Writable({
        write(chunk, _encoding, done) {
          terminal.write(chunk)
          done()
        },
      })
      const lines = createInterface({
        input: stream,
        output: isSecret ? dropped : echo,
        terminal: true,
      })
      try {
        return await new Promise<string>((resolve, reject) => {
          lines.once('line', resolve)
          lines.once('SIGINT', () => reject(new DOMException('Interrupted.', 'AbortError')))
          lines.once('close', () => reject(new UsageError(`Nothing was entered. ${instead}`)))
        })
      } finally {
        lines.close()
        if (isSecret) terminal.write('\n')
      }
    },
  }
}
