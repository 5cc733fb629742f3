// The same faults put to the gateway and to an Express server with the protocol's own middleware, on one chain. What
// Express did is kept in `.cache/beside-express.tsv` and not asserted: it depends on the version of its middleware.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { payments, shareChains } from '../paid-gateway.ts'
import { faults, withoutFault } from './faults.ts'
import { type Fault, judge, type Outcome, play } from './scene.ts'
import { type GatewaySeller, openExpress, openGateway } from './sellers.ts'
import { openUpstream, type Upstream } from './upstream.ts'

const table = path.join(import.meta.dirname, '../../../.cache/beside-express.tsv')

describe.skipIf(!payments.ok)(`beside Express ${payments.reason}`, () => {
  const chains = shareChains()
  const endings: (() => Promise<void>)[] = []
  const lines = [
    ['fault', ...['gateway', 'Express'].flatMap((name) => [name, 'paid', 'answers', 'runs'])],
  ]
  let upstream: Upstream
  let gateway: GatewaySeller

  if (payments.ok) {
    beforeAll(async () => {
      upstream = await openUpstream((work) => endings.unshift(work))
      gateway = await openGateway(chains(), upstream.url, (work) => endings.unshift(work))
    })
    afterAll(async () => {
      for (const end of endings) await end()
      process.stdout.write(textOf(lines))
    })
  }

  async function playToBoth(fault: Fault) {
    const on = { chains: chains(), upstream }
    const ours = await play(fault, gateway, on)
    const express = await openExpress(chains(), upstream.url, onTestFinished)
    const theirs = await play(fault, express, on).catch(() => undefined)
    lines.push([fault.name, ...cellsOf(ours), ...cellsOf(theirs)])
    await mkdir(path.dirname(table), { recursive: true })
    await writeFile(table, textOf(lines))
    return { ours, theirs }
  }

  test('both sell: one payment, one run, one answer', async () => {
    const sold = { paid: 1, answers: 1, runs: 1 }
    expect(await playToBoth(withoutFault)).toEqual({ ours: sold, theirs: sold })
  })

  test.each(faults)(
    '$name: the gateway charges no failure, nothing twice, and serves nothing unpaid',
    async (fault) => {
      const { ours } = await playToBoth(fault)
      expect(judge(ours)).toEqual([])
      await gateway.expectBooksRight()
    },
  )
})

const textOf = (lines: readonly (readonly string[])[]) =>
  lines.map((cells) => `${cells.join('\t')}\n`).join('')

function cellsOf(outcome: Outcome | undefined): string[] {
  if (outcome === undefined) return ['did not end', '', '', '']
  const { paid, answers, runs } = outcome
  return [judge(outcome).join(', ') || 'right', ...[paid, answers, runs].map(String)]
}
