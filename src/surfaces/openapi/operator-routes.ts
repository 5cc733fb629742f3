// Every address of the operator, in the order of their document. The clients are typed from it.
import type { RouteDefinition } from '../doors/route.ts'
import {
  createAccount,
  createAccountKey,
  creditAccount,
  debitAccount,
  deleteAccountKey,
  freezeAccount,
  listAccounts,
  readAccountInFull,
  unfreezeAccount,
  updateAccountKey,
} from '../http/admin/accounts.ts'
import { describeOperatorRoutes, readGatewayHealth } from '../http/admin/admin.ts'
import { exportAllTransactions, listAllTransactions, readRevenue } from '../http/admin/books.ts'
import { endBrowser, listBrowsers } from '../http/admin/browsers.ts'
import {
  listActionHealth,
  listPrices,
  listProviders,
  listReadHosts,
  refreshModels,
} from '../http/admin/catalog.ts'
import { readQuota, updateQuota } from '../http/admin/files.ts'
import { repairLedger, verifyLedger } from '../http/admin/ledger.ts'
import { readMailState } from '../http/admin/mail.ts'
import { listMisfits, readMisfit } from '../http/admin/misfits.ts'
import { listOperations } from '../http/admin/operations.ts'
import {
  inspectTransaction,
  listPayments,
  listPurchases,
  readTreasury,
  resolvePurchase,
} from '../http/admin/payments.ts'
import {
  listOverrides,
  previewOverride,
  removeOverride,
  setOverride,
} from '../http/admin/price-overrides.ts'
import { endSession, listAllSessions } from '../http/admin/sessions.ts'
import { createSignInLink } from '../http/admin/sign-in-links.ts'

/** They are not in the public document. */
export const operatorRoutes: readonly RouteDefinition[] = [
  listAccounts,
  createAccount,
  readAccountInFull,
  freezeAccount,
  unfreezeAccount,
  creditAccount,
  debitAccount,
  createAccountKey,
  updateAccountKey,
  deleteAccountKey,
  readQuota,
  updateQuota,
  listAllTransactions,
  exportAllTransactions,
  inspectTransaction,
  readRevenue,
  listPayments,
  readTreasury,
  listPurchases,
  resolvePurchase,
  verifyLedger,
  repairLedger,
  listPrices,
  listOverrides,
  previewOverride,
  setOverride,
  removeOverride,
  listAllSessions,
  endSession,
  listBrowsers,
  endBrowser,
  listProviders,
  listActionHealth,
  listReadHosts,
  refreshModels,
  readMailState,
  listMisfits,
  readMisfit,
  createSignInLink,
  listOperations,
  readGatewayHealth,
  describeOperatorRoutes,
]
