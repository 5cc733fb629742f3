// The store of files fails while a file is deleted.
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'

const gateway = shareGateway()

test('a file that is deleted while the store fails is gone, and its bytes are erased later', async () => {
  const account = await gateway().account(10)
  const body = { filename: 'note.txt', size_bytes: 5 }
  const { put_url, file_id } = (await account.call('files/upload', body)).body.data
  await fetch(put_url, { method: 'PUT', body: 'bytes' })
  const place = path.join(gateway().dataDir, 'files', file_id.slice(-2), file_id)
  await rm(place)
  // The store cannot remove a folder as if it were the bytes of a file.
  await mkdir(path.join(place, 'in-the-way'), { recursive: true })

  const deleted = await account.call('files/delete', { file_id })
  expect([deleted.status, deleted.body.data]).toEqual([200, expect.anything()])
  expect((await account.call('files/get', { file_id })).status).toBe(404)
  expect((await account.call('files/list', {})).body.data.files).toEqual([])
  expect((await stat(place)).isDirectory()).toBe(true)
})
