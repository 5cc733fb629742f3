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
import { backupRoutes } from '../http/admin/backups.ts'
import {
  exportAllTransactions,
  exportRevenue,
  listAllTransactions,
  readRevenue,
  sumAllTransactions,
} from '../http/admin/books.ts'
import { endBrowser, listBrowsers } from '../http/admin/browsers.ts'
import { canaryRoutes } from '../http/admin/canaries.ts'
import {
  listActionHealth,
  listPrices,
  listProviders,
  listReadHosts,
  refreshModels,
} from '../http/admin/catalog.ts'
import { costRoutes } from '../http/admin/economics/costs.ts'
import { marginRoutes } from '../http/admin/economics/margins.ts'
import { priceGroupRoutes } from '../http/admin/economics/price-groups.ts'
import { readQuota, updateQuota } from '../http/admin/files.ts'
import { repairLedger, verifyLedger } from '../http/admin/ledger.ts'
import { readMailState } from '../http/admin/mail.ts'
import { readMetrics } from '../http/admin/metrics.ts'
import { listMisfits, readMisfit } from '../http/admin/misfits.ts'
import { listModelRoutes } from '../http/admin/model-routes.ts'
import { listOperations } from '../http/admin/operations.ts'
import {
  addOperator,
  changeOperator,
  listOperators,
  removeOperator,
  renewOperatorToken,
} from '../http/admin/operators.ts'
import {
  closePaymentSession,
  listPaymentSessions,
} from '../http/admin/payments/payment-sessions.ts'
import {
  inspectTransaction,
  listPayments,
  listPurchases,
  readTreasury,
  resolvePurchase,
} from '../http/admin/payments/payments.ts'
import {
  listOverrides,
  previewOverride,
  removeOverride,
  setOverride,
} from '../http/admin/price-overrides.ts'
import {
  listProviderBudgets,
  listProviderKeys,
  removeProviderBudget,
  removeProviderKey,
  setProviderBudget,
  setProviderKey,
} from '../http/admin/provider-keys.ts'
import { publishedPlanRoutes } from '../http/admin/published-plans.ts'
import { endSession, listAllSessions } from '../http/admin/sessions.ts'
import { createSignInLink } from '../http/admin/sign-in-links.ts'
import {
  exportSoldApi,
  listSoldApis,
  listSoldRevisions,
  planSoldApi,
  sellApi,
  stopSelling,
} from '../http/admin/sold-apis.ts'
import {
  listAccountStatements,
  readAccountStatement,
  readAccountStatementCsv,
  readAccountStatementPdf,
} from '../http/admin/statements.ts'

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
  listAccountStatements,
  readAccountStatement,
  readAccountStatementCsv,
  readAccountStatementPdf,
  listOperators,
  addOperator,
  changeOperator,
  renewOperatorToken,
  removeOperator,
  readQuota,
  updateQuota,
  listAllTransactions,
  sumAllTransactions,
  exportAllTransactions,
  inspectTransaction,
  readRevenue,
  exportRevenue,
  listPayments,
  readTreasury,
  listPaymentSessions,
  closePaymentSession,
  listPurchases,
  resolvePurchase,
  verifyLedger,
  repairLedger,
  listPrices,
  listOverrides,
  previewOverride,
  setOverride,
  removeOverride,
  ...priceGroupRoutes,
  ...costRoutes,
  ...marginRoutes,
  listSoldApis,
  planSoldApi,
  ...publishedPlanRoutes,
  sellApi,
  exportSoldApi,
  listSoldRevisions,
  stopSelling,
  listProviderKeys,
  setProviderKey,
  removeProviderKey,
  listProviderBudgets,
  setProviderBudget,
  removeProviderBudget,
  ...canaryRoutes,
  listAllSessions,
  endSession,
  listBrowsers,
  endBrowser,
  listProviders,
  listActionHealth,
  listReadHosts,
  refreshModels,
  listModelRoutes,
  readMailState,
  listMisfits,
  readMisfit,
  createSignInLink,
  listOperations,
  ...backupRoutes,
  readGatewayHealth,
  readMetrics,
  describeOperatorRoutes,
]
