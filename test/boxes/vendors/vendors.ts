// The kinds of sessions that vendors serve, each with its stub.

import type { BoxInput } from '#catalog/lib/boxes/vendor-box.ts'
import { daytonaSessions, daytonaUpstream } from '#catalog/sessions/lib/daytona.ts'
import { e2bSessions, e2bUpstream } from '#catalog/sessions/lib/e2b.ts'
import { runloopSessions, runloopUpstream } from '#catalog/sessions/lib/runloop.ts'
import { spriteSessions, spritesUpstream } from '#catalog/sessions/lib/sprites.ts'
import { vercelSessions, vercelUpstream } from '#catalog/sessions/lib/vercel.ts'
import { defineProvider, type Upstream } from '#core/provider.ts'
import type { SessionKind } from '#core/session.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { silentLog } from '#test/silent-log.ts'
import type { BoxWorld } from '../contract.ts'
import { type RunningStub, type StubVendor, startStubVendor } from '../stub-vendor.ts'
import { daytonaStub } from './daytona.ts'
import { e2bKey, e2bStub } from './e2b.ts'
import { runloopStub } from './runloop.ts'
import { spritesStub } from './sprites.ts'
import { vercelKey, vercelStub } from './vercel.ts'

export interface Vendor {
  readonly name: string
  readonly key: string
  readonly stub: StubVendor
  readonly upstream: Upstream
  readonly kind: SessionKind<BoxInput>
}

export const vendors: readonly Vendor[] = [
  { name: 'E2B', key: e2bKey, stub: e2bStub, upstream: e2bUpstream, kind: e2bSessions },
  {
    name: 'Daytona',
    key: 'test-key',
    stub: daytonaStub,
    upstream: daytonaUpstream,
    kind: daytonaSessions,
  },
  {
    name: 'Vercel Sandbox',
    key: vercelKey,
    stub: vercelStub,
    upstream: vercelUpstream,
    kind: vercelSessions,
  },
  {
    name: 'Runloop',
    key: 'test-key',
    stub: runloopStub,
    upstream: runloopUpstream,
    kind: runloopSessions,
  },
  {
    name: 'Fly Sprites',
    key: 'test-key',
    stub: spritesStub,
    upstream: spritesUpstream,
    kind: spriteSessions,
  },
]

/** A vendor's stub and the kind that uses it. */
export async function openVendor(
  { key, stub, upstream, kind }: Vendor,
  clock = systemClock,
): Promise<BoxWorld & { readonly stub: RunningStub }> {
  const running = await startStubVendor(stub)
  const service = createService(
    defineProvider({ id: 'box', title: 'Box', upstream, actions: [] }),
    {
      variables: new Map([
        ['BOX_API_KEY', key],
        ['BOX_BASE_URL', running.url],
      ]),
      userAgent: 'Tollway/test',
      clock,
      log: silentLog,
    },
  )
  const { signal } = new AbortController()
  return {
    kind,
    stub: running,
    context: (sessionId) => ({
      sessionId,
      accountId: 'account',
      signal,
      clock,
      http: service.http.withSignal(signal),
    }),
    count: () => running.machines.boxes.size,
    async close() {
      await service.close()
      running.close()
    },
  }
}
