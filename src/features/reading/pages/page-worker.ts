// The thread in which pages are taken apart. It answers one task at a time and holds nothing between them.
import { parentPort } from 'node:worker_threads'
import { type ShapeTask, shapePage } from '@tollway/reader'

parentPort?.on('message', (task: ShapeTask) => parentPort?.postMessage(shapePage(task)))
parentPort?.postMessage('ready')
