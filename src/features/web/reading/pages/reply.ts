// A rung's reply becomes content in the caller's format, and the evidence for the verdict. HTML and feeds are parsed in
// a worker thread.
import {
  contentOfMarkup,
  markupTask,
  type ReadContent,
  type ReadOptions,
  readText,
} from '@tollway/reader'
import type { ThreadAsker } from '#platform/threads/thread-pool.ts'
import type { RungReply } from '../ladder/rungs.ts'
import type { PageWorkers } from './page-workers.ts'

export async function readReply(
  reply: RungReply,
  options: ReadOptions,
  workers: Pick<PageWorkers, 'readMarkup'>,
  asker?: ThreadAsker,
): Promise<ReadContent> {
  const task = markupTask(reply, options)
  return task === undefined
    ? readText(reply, options)
    : contentOfMarkup(await workers.readMarkup(task, asker), reply, options)
}
