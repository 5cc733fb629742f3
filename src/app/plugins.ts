// Opens the plugins: brings their tables up to date, and gives each its own settings.
import { pickSettings } from '#money/rails/definition.ts'
import type { Database } from '#platform/database/database.ts'
import { applySchema, enterSchema, readMigrations } from '#platform/database/schema.ts'
import { openCallReports } from '#runner/execute/call-reports.ts'
import { createCallRules } from '#runner/execute/call-rules.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

const schemaOf = (plugin: string) => `plugin_${plugin}`

const transactionOf =
  ({ transaction }: Database, plugin: string): Database['transaction'] =>
  (work) =>
    transaction(async (client) => {
      await enterSchema(client, schemaOf(plugin))
      return await work(client)
    })

export type OpenPlugins = Awaited<ReturnType<typeof openPlugins>>

export async function openPlugins(
  { config, plugins, clock, log, onClose }: AppContext,
  { database }: Store,
) {
  for (const { id, schema } of plugins) {
    if (schema === undefined) continue
    const { length: functionsVersion } = await readMigrations([schema])
    await applySchema(database, { folders: [schema], functionsVersion, name: schemaOf(id) })
  }
  const open = await Promise.all(
    plugins.map(async ({ id, settings = {}, hooks, routes, pages = [] }) => {
      const own = {
        settings: pickSettings(settings, { ...config }),
        transaction: transactionOf(database, id),
        clock,
        log,
      }
      const ofPlugin = <Part>(parts: readonly Part[]) =>
        parts.map((part) => ({ ...part, plugin: id }))
      return {
        hooks: hooks === undefined ? [] : [{ plugin: id, hooks: await hooks(own) }],
        routes: ofPlugin((await routes?.(own)) ?? []),
        pages: ofPlugin(pages),
      }
    }),
  )
  const hooks = open.flatMap(({ hooks }) => hooks)
  onClose((await openCallReports({ hooks, database, clock, log })).close)
  return {
    rules: createCallRules({ hooks, log }),
    routes: open.flatMap(({ routes }) => routes),
    pages: open.flatMap(({ pages }) => pages),
  }
}
