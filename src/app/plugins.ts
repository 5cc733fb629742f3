// Opens the plugins: gives each its own settings and part of the database.
import { pickSettings } from '#money/rails/definition.ts'
import { createCallRules } from '#runner/execute/call-rules.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export type OpenPlugins = ReturnType<typeof openPlugins>

export function openPlugins({ config, plugins, clock, log }: AppContext, { database }: Store) {
  const hooks = plugins.flatMap(({ id, settings = {}, hooks }) => {
    if (hooks === undefined) return []
    const values = pickSettings(settings, { ...config })
    return [{ plugin: id, hooks: hooks({ settings: values, clock, log }) }]
  })
  return { rules: createCallRules({ hooks, database, log }) }
}
