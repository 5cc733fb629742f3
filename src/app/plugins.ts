// Opens the plugins: brings their tables up to date, and gives each its own settings.
import { readdir } from 'node:fs/promises'
import { pickSettings } from '#money/rails/definition.ts'
import type { Database } from '#platform/database/database.ts'
import { applySchema, enterSchema, readMigrations } from '#platform/database/schema.ts'
import { requireHooks, requireRoutes } from '#plugins/parts.ts'
import { forPlugin, type Plugin, type PluginContext, readyInTime } from '#plugins/plugin.ts'
import { boundRoute } from '#plugins/routes.ts'
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
  const open: Awaited<ReturnType<typeof openPlugin>>[] = []
  for (const plugin of plugins) {
    const context = {
      settings: pickSettings(plugin.settings ?? {}, { ...config }),
      transaction: transactionOf(database, plugin.id),
      clock,
      log,
    }
    const opened = await forPlugin(plugin.id, async () => {
      await applyItsSchema(database, plugin)
      return await readyInTime(clock, () => openPlugin(plugin, context))
    })
    open.push(opened)
  }
  const hooks = open.flatMap(({ hooks }) => hooks)
  onClose((await openCallReports({ hooks, database, clock, log })).close)
  return {
    rules: createCallRules({ hooks, clock, log }),
    routes: open.flatMap(({ routes }) => routes),
    pages: open.flatMap(({ pages }) => pages),
  }
}

async function applyItsSchema(database: Database, { id, schema }: Plugin) {
  if (schema === undefined) return
  // A folder without a part of it is allowed, so one that is not there would go unnoticed.
  await readdir(schema)
  const { length: functionsVersion } = await readMigrations([schema])
  await applySchema(database, { folders: [schema], functionsVersion, name: schemaOf(id) })
}

async function openPlugin(
  { id, hooks, routes, pages = [] }: Plugin,
  context: PluginContext<Readonly<Record<string, unknown>>>,
) {
  const own = <Part>(parts: readonly Part[]) => parts.map((part) => ({ ...part, plugin: id }))
  const made = requireRoutes((await routes?.(context)) ?? [])
  return {
    hooks: hooks === undefined ? [] : [{ plugin: id, hooks: requireHooks(await hooks(context)) }],
    routes: own(made.map((route) => boundRoute(id, route, context))),
    pages: own(pages),
  }
}
