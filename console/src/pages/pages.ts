// The pages of the console. Each is loaded when it is first entered, except Home.
import type { ComponentType } from 'preact'
import type { Person } from '../session.ts'
import { HomePage } from './home.tsx'
import { pluginPages } from './plugin-pages.tsx'

export interface PageProps {
  readonly person: Person
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export interface PageEntry {
  readonly path: string
  /** In the navigation. Pages without it are reached from others. */
  readonly label?: string
  /** What else people call it, and what is done there, for the palette. */
  readonly words?: string
  readonly side: 'account' | 'operator'
  readonly load: () => Promise<ComponentType<PageProps>>
}

/** What the palette finds besides, outside of the console. */
export const elsewhere: readonly Omit<PageEntry, 'load'>[] = [
  { side: 'account', path: '/docs', label: 'Documents', words: 'docs, help, guide, manual' },
  { side: 'operator', path: '/docs/operate', label: 'Guide for operators', words: 'docs, help' },
  {
    side: 'account',
    path: '/sign-in/methods',
    label: 'Ways to sign in',
    words: 'password, passkey, e-mail, login',
  },
]

const account = { side: 'account' } as const
const operator = { side: 'operator' } as const

export const pages: readonly PageEntry[] = [
  {
    ...account,
    path: '/',
    label: 'Home',
    words: 'balance, top up, add money, credit, spending',
    load: async () => HomePage,
  },
  {
    ...account,
    path: '/catalog',
    label: 'Catalog',
    words: 'actions, run an action, search',
    load: async () => (await import('../catalog/catalog-page.tsx')).CatalogPage,
  },
  {
    ...account,
    path: '/catalog/:service/:action',
    load: async () => (await import('../catalog/action-page.tsx')).ActionPage,
  },
  {
    ...account,
    path: '/transactions',
    label: 'Transactions',
    words: 'calls, charges, history, refunds',
    load: async () => (await import('../transactions/transactions-page.tsx')).TransactionsPage,
  },
  {
    ...account,
    path: '/transactions/:id',
    load: async () => (await import('../transactions/transaction-page.tsx')).TransactionPage,
  },
  {
    ...account,
    path: '/statements',
    label: 'Statements',
    words: 'invoice, bill, month',
    load: async () => (await import('../account/statements-page.tsx')).StatementsPage,
  },
  {
    ...account,
    path: '/statements/:month',
    load: async () => (await import('../account/statements-page.tsx')).StatementPage,
  },
  {
    ...account,
    path: '/plans',
    label: 'Plans',
    words: 'pipelines, steps, save a plan',
    load: async () => (await import('../account/plans-page.tsx')).PlansPage,
  },
  {
    ...account,
    path: '/plans/:name',
    load: async () => (await import('../account/plans-page.tsx')).PlanPage,
  },
  {
    ...account,
    path: '/connect',
    label: 'Connect',
    words: 'install, client, MCP, SDK',
    load: async () => (await import('../account/connect-page.tsx')).ConnectPage,
  },
  {
    ...account,
    path: '/keys',
    label: 'Keys',
    words: 'API key, new key, limits, revoke, password',
    load: async () => (await import('../account/keys-page.tsx')).KeysPage,
  },
  {
    ...account,
    path: '/apps',
    label: 'Connected apps',
    words: 'OAuth, end access',
    load: async () => (await import('../account/apps-page.tsx')).AppsPage,
  },
  {
    ...account,
    path: '/work',
    label: 'Jobs and sessions',
    words: 'running, cancel a job, browsers',
    load: async () => (await import('../account/work-page.tsx')).WorkPage,
  },
  {
    ...account,
    path: '/files',
    label: 'Files',
    words: 'upload, download, storage',
    load: async () => (await import('../account/files-page.tsx')).FilesPage,
  },
  {
    ...account,
    path: '/chat',
    label: 'Chat',
    words: 'language model, LLM',
    load: async () => (await import('../account/chat-page.tsx')).ChatPage,
  },
  ...pluginPages,
  {
    ...operator,
    path: '/operator',
    label: 'Overview',
    words: 'income, revenue, errors, first steps',
    load: async () => (await import('../operator/overview-page.tsx')).OverviewPage,
  },
  {
    ...operator,
    path: '/operator/providers',
    label: 'Providers',
    words: 'vendors, provider key, credentials',
    load: async () => (await import('../operator/provider-pages.tsx')).ProvidersPage,
  },
  {
    ...operator,
    path: '/operator/models',
    label: 'Models',
    words: 'LLM, routing',
    load: async () => (await import('../operator/model-routes-page.tsx')).ModelRoutesPage,
  },
  {
    ...operator,
    path: '/operator/prices',
    label: 'Prices',
    words: 'change a price, discount',
    load: async () => (await import('../operator/prices-page.tsx')).PricesPage,
  },
  {
    ...operator,
    path: '/operator/price-groups',
    label: 'Price groups',
    words: 'prices of customers',
    load: async () => (await import('../operator/price-groups-page.tsx')).PriceGroupsPage,
  },
  {
    ...operator,
    path: '/operator/costs',
    label: 'Costs',
    words: 'vendor bill, invoice, budget',
    load: async () => (await import('../operator/costs-page.tsx')).CostsPage,
  },
  {
    ...operator,
    path: '/operator/margins',
    label: 'Margins',
    words: 'profit, loss',
    load: async () => (await import('../operator/margins-page.tsx')).MarginsPage,
  },
  {
    ...operator,
    path: '/operator/plans',
    label: 'Published plans',
    words: 'pipelines',
    load: async () => (await import('../account/plans-page.tsx')).PublishedPlansPage,
  },
  {
    ...operator,
    path: '/operator/plans/:name',
    load: async () => (await import('../account/plans-page.tsx')).PublishedPlanPage,
  },
  {
    ...operator,
    path: '/operator/selling',
    label: 'Selling',
    words: 'sell an API, import, OpenAPI',
    load: async () => (await import('../operator/selling-page.tsx')).SellingPage,
  },
  {
    ...operator,
    path: '/operator/selling/:name',
    load: async () => (await import('../operator/sold-actions-page.tsx')).SoldActionsPage,
  },
  {
    ...operator,
    path: '/operator/canaries',
    label: 'Canaries',
    words: 'probes, checks of providers',
    load: async () => (await import('../operator/canaries-page.tsx')).CanariesPage,
  },
  {
    ...operator,
    path: '/operator/canaries/:provider',
    load: async () => (await import('../operator/canaries-page.tsx')).CanaryPage,
  },
  {
    ...operator,
    path: '/operator/accounts',
    label: 'Accounts',
    words: 'customers, new account, credit, debit, refund, top up, freeze, block',
    load: async () => (await import('../operator/accounts-page.tsx')).AccountsPage,
  },
  {
    ...operator,
    path: '/operator/accounts/:id',
    load: async () => (await import('../operator/accounts-page.tsx')).AccountPage,
  },
  {
    ...operator,
    path: '/operator/accounts/:id/statements',
    load: async () => (await import('../account/statements-page.tsx')).AccountStatementsPage,
  },
  {
    ...operator,
    path: '/operator/accounts/:id/statements/:month',
    load: async () => (await import('../account/statements-page.tsx')).AccountStatementPage,
  },
  {
    ...operator,
    path: '/operator/transactions',
    label: 'Transactions',
    words: 'calls, charges, refund, search',
    load: async () => (await import('../transactions/transactions-page.tsx')).AllTransactionsPage,
  },
  {
    ...operator,
    path: '/operator/transactions/:id',
    load: async () => (await import('../transactions/transaction-page.tsx')).AnyTransactionPage,
  },
  {
    ...operator,
    path: '/operator/purchases',
    label: 'Purchases in doubt',
    words: 'orders',
    load: async () => (await import('../operator/purchases-page.tsx')).PurchasesPage,
  },
  {
    ...operator,
    path: '/operator/rails',
    label: 'Payments and refunds',
    words: 'wallets, chain, top up, refund',
    load: async () => (await import('../operator/rails-page.tsx')).RailsPage,
  },
  {
    ...operator,
    path: '/operator/sessions',
    label: 'Sessions',
    words: 'browsers, end a session',
    load: async () => (await import('../operator/sessions-page.tsx')).AllSessionsPage,
  },
  {
    ...operator,
    path: '/operator/reading',
    label: 'Reading',
    words: 'scraping, web pages',
    load: async () => (await import('../operator/provider-pages.tsx')).ReadingPage,
  },
  {
    ...operator,
    path: '/operator/operators',
    label: 'Operators',
    words: 'invite a person, team, roles, tokens, password',
    load: async () => (await import('../operator/operators-page.tsx')).OperatorsPage,
  },
  {
    ...operator,
    path: '/operator/audit',
    label: 'Audit log',
    words: 'changes, who did what, history',
    load: async () => (await import('../operator/audit-and-ledger.tsx')).AuditPage,
  },
  {
    ...operator,
    path: '/operator/ledger',
    label: 'Ledger',
    words: 'books, verify, balances',
    load: async () => (await import('../operator/audit-and-ledger.tsx')).LedgerPage,
  },
  {
    ...operator,
    path: '/operator/backups',
    label: 'Backups',
    words: 'restore, back up now, schedule',
    load: async () => (await import('../operator/backups-page.tsx')).BackupsPage,
  },
]
