import type { NavigationGroup } from './shell.ts'

interface Listed {
  readonly path: string
  readonly title: string
}

/** Documents that are written from the catalog and the routes, and those that a newcomer reads first. */
const start: readonly Listed[] = [
  { path: '/docs', title: 'Start' },
  { path: '/docs/connect', title: 'Connect' },
]
const startPaths = ['use', 'use/console', 'use/command', 'use/clients', 'use/mcp'].map(
  (name) => `/docs/${name}`,
)
const reference: readonly Listed[] = [
  { path: '/docs/actions', title: 'Actions' },
  { path: '/docs/api', title: 'API' },
]
const gateway: readonly Listed[] = [
  { path: '/changelog', title: 'Changelog' },
  { path: '/status', title: 'Status' },
]
const referencePaths = /^\/docs\/(reference\/|limits$|performance$)/

/** The documents in the order in which they are listed beside each of them. */
export function createNavigation(documents: readonly Listed[]): readonly NavigationGroup[] {
  const byTitle = documents.toSorted((one, other) => one.title.localeCompare(other.title))
  const among = (isIn: (path: string) => boolean) => byTitle.filter(({ path }) => isIn(path))
  const first = startPaths.flatMap((path) => byTitle.filter((each) => each.path === path))
  const isUse = (path: string) => path.startsWith('/docs/use/') && !startPaths.includes(path)
  const isOperate = (path: string) => /^\/docs\/operate(\/|$)/.test(path)
  const isReference = (path: string) => referencePaths.test(path)
  const isOther = (path: string) =>
    !startPaths.includes(path) && !isUse(path) && !isOperate(path) && !isReference(path)
  return [
    { title: 'Start', links: [...start, ...first] },
    { title: 'Use', links: among(isUse) },
    { title: 'Operate', links: among(isOperate) },
    { title: 'Reference', links: [...reference, ...among(isReference)] },
    { title: 'Extend and understand', links: among(isOther) },
    { title: 'This gateway', links: gateway },
  ]
}
