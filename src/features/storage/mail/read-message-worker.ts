// The thread that reads mail, one at a time.
import { parentPort } from 'node:worker_threads'
import type { ReadOutcome } from './message-reader.ts'
import { readMessage } from './read-message.ts'
import { UnreadableMail } from './unreadable-mail.ts'

parentPort?.on('message', async (raw: Uint8Array) => parentPort?.postMessage(await read(raw)))
parentPort?.postMessage('ready')

async function read(raw: Uint8Array): Promise<ReadOutcome> {
  try {
    return { content: await readMessage(raw) }
  } catch (thrown) {
    if (thrown instanceof UnreadableMail) return { problem: thrown.message }
    throw thrown
  }
}
