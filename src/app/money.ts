// The books, the payment rails that wallets pay by, and the wallet that the gateway itself pays with.
import path from 'node:path'
import { centsToMicros } from '#core/money.ts'
import { watchSalesBelowCost } from '#money/costs/below-cost.ts'
import { createMargins } from '#money/costs/margins.ts'
import { addLeases } from '#money/leases/leases.ts'
import { explainKeyLimits } from '#money/ledger/key-limits.ts'
import { createLedger } from '#money/ledger/ledger.ts'
import { observeLedger, observePayments } from '#money/observed.ts'
import { createChannelRecords } from '#money/payments/channel-records.ts'
import { createChannels } from '#money/payments/channels.ts'
import { createFinality } from '#money/payments/finality.ts'
import { createPayments } from '#money/payments/payments.ts'
import { createPendingMoney } from '#money/payments/pending.ts'
import { createRefunds } from '#money/payments/refunds.ts'
import { createTreasury } from '#money/payments/treasury.ts'
import { openRails } from '#money/rails/open-rails.ts'
import { openUpstreamWallet } from '#money/rails/upstream-wallet.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { findProcessPlaces } from '#platform/process-place.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export type Money = Awaited<ReturnType<typeof openMoney>>

export async function openMoney(
  { config, rails: definitions, clock, log, telemetry, baseUrl, onClose }: AppContext,
  { database, secret, shared }: Store,
  wallet: UpstreamWallet | undefined,
) {
  const books = {
    database,
    clock,
    log,
    places: await findProcessPlaces(),
    journalDirectory: path.join(config.DATA_DIR, 'leases'),
    inFlightMax: config.CALLS_IN_FLIGHT_MAX,
    inferenceDayMicrosMax: centsToMicros(config.INFERENCE_DAY_CENTS_MAX),
    unchargedDayMicrosMax: centsToMicros(config.UNCHARGED_DAY_CENTS_MAX),
  }
  const ledger = observeLedger(
    explainKeyLimits(await addLeases(await createLedger(books), books), database),
    telemetry,
  )
  onClose(ledger.close)
  const payments = observePayments(
    createPayments({
      database,
      clock,
      gatewayNumber: ledger.gatewayNumber,
      dustMicros: centsToMicros(config.REFUND_DUST_CENTS),
    }),
    telemetry,
  )
  const rails = await openRails({
    rails: definitions,
    settings: config,
    database,
    clock,
    log,
    baseUrl,
    secret,
    counters: shared.counters,
  })
  onClose(rails.close)
  const channels = createChannels({
    records: createChannelRecords({ database, clock, gatewayNumber: ledger.gatewayNumber }),
    rails: rails.known,
    clock,
    log,
  })
  onClose(channels.stop)
  const refunds = createRefunds({ database, rails: rails.known, clock, log })
  onClose(refunds.close)
  onClose(createFinality({ database, payments, rails: rails.known, log }).close)
  const margins = createMargins({ database, clock })
  const belowCost = watchSalesBelowCost({ margins, log })
  onClose(belowCost.close)
  const upstreamWallet = wallet ?? (await openUpstreamWallet(definitions, config, { clock, log }))
  if (upstreamWallet !== undefined) onClose(upstreamWallet.close)
  return {
    ledger,
    payments,
    pending: createPendingMoney({ database, gatewayNumber: ledger.gatewayNumber }),
    rails,
    channels,
    refunds,
    margins,
    belowCost,
    treasury: createTreasury({ database, rails: rails.known }),
    upstreamWallet,
  }
}
