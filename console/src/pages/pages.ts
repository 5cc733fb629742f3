// The pages of the console. Each is loaded when it is first entered, except Home.
import type { ComponentType } from 'preact'
import type { Person } from '../session.ts'
import { HomePage } from './home.tsx'

export interface PageProps {
  readonly person: Person
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export interface PageEntry {
  readonly path: string
  /** In the navigation. Pages without it are reached from others. */
  readonly label?: string
  readonly side: 'account' | 'operator'
  readonly load: () => Promise<ComponentType<PageProps>>
}

const account = { side: 'account' } as const

export const pages: readonly PageEntry[] = [
  { ...account, path: '/', label: 'Home', load: async () => HomePage },
  {
    ...account,
    path: '/catalog',
    label: 'Catalog',
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
    load: async () => (await import('../transactions/transactions-page.tsx')).TransactionsPage,
  },
  {
    ...account,
    path: '/transactions/:id',
    load: async () => (await import('../transactions/transaction-page.tsx')).TransactionPage,
  },
  {
    ...account,
    path: '/keys',
    label: 'Keys',
    load: async () => (await import('../account/keys-page.tsx')).KeysPage,
  },
]
