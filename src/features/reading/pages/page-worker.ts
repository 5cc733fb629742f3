// The thread in which pages are taken apart. It answers one task at a time and holds nothing between them.
import { parentPort } from 'node:worker_threads'
import { type MarkupTask, readMarkup } from '@tollway/reader'

parentPort?.on('message', (task: MarkupTask) => parentPort?.postMessage(readMarkup(task)))
parentPort?.postMessage('ready')
