import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { silentLog as log } from '#test/silent-log.ts'
import { mountSmallVolume } from '#test/small-volume.ts'
import { listLeaseJournals, openLeaseJournal } from './journal.ts'

test('a disk that fills up in the middle of a call leaves later calls readable', async ({
  skip,
}) => {
  const volume = await mountSmallVolume(1)
  if (volume === undefined) return skip('only root can mount a volume to fill')
  const { directory } = volume
  const journal = openLeaseJournal({ directory, gatewayNumber: 7, log })
  const line = (id: number) => JSON.stringify({ id, text: 'x'.repeat(3_000) })
  const filed: number[] = []
  for (let id = 0; id < 1_000; id += 1)
    if ((await journal.append(line(id))) !== undefined) filed.push(id)
  expect(filed.length).toBeLessThan(1_000)
  // A shorter one may still fit.
  if ((await journal.append('{"id":1000}')) !== undefined) filed.push(1_000)
  expect(await readdir(directory)).toHaveLength(1)
  const [journalFile] = await listLeaseJournals(directory)
  const lines = await journalFile?.readLines()
  expect(lines?.map((text) => JSON.parse(text).id)).toEqual(filed)
})
