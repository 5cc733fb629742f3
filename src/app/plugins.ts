// Opens the plugins: gives each its own settings.
import { pickSettings } from '#money/rails/definition.ts'
import { createCallRules } from '#runner/execute/call-rules.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export type OpenPlugins = ReturnType<typeof openPlugins>

export function openPlugins({ config, plugins, clock, log }: AppContext, { database }: Store) {
  const open = plugins.map(({ id, settings = {}, hooks, routes, pages = [] }) => {
    const own = { settings: pickSettings(settings, { ...config }), clock, log }
    return {
      hooks: hooks === undefined ? [] : [{ plugin: id, hooks: hooks(own) }],
      routes: routes?.(own).map((route) => ({ ...route, plugin: id })) ?? [],
      pages: pages.map((page) => ({ ...page, plugin: id })),
    }
  })
  return {
    rules: createCallRules({ hooks: open.flatMap(({ hooks }) => hooks), database, log }),
    routes: open.flatMap(({ routes }) => routes),
    pages: open.flatMap(({ pages }) => pages),
  }
}
