// The thread that parses pages. It does one task at a time and keeps nothing between tasks.
import { parentPort } from 'node:worker_threads'
import { type MarkupTask, readMarkup } from '@tollway/reader'

parentPort?.on('message', (task: MarkupTask) => parentPort?.postMessage(readMarkup(task)))
parentPort?.postMessage('ready')
