// What a plugin adds to the doors: routes and pages of the console.
import type { AccountCaller } from '../caller.ts'

export interface PluginRequest {
  /** Who was admitted, by an API key or by a person's cookie. */
  readonly caller: AccountCaller
  /** The `:names` in the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** The body, read as JSON. */
  readonly body: unknown
  /** Aborts when the caller has been told that no answer came: at the deadline, or while the gateway stops. */
  readonly signal: AbortSignal
}

/** A route that always answers. */
export interface BoundRoute extends Omit<PluginRoute, 'answer'> {
  answer(request: PluginRequest): Promise<unknown>
}

export interface PluginRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/plugins/{id}`, such as `/spent/:month`. */
  readonly path: `/${string}`
  /**
   * Resolves to the answer, which is sent as JSON. What it throws by `fail` becomes the error of the request. One that
   * takes longer than 30 seconds is 503 `unavailable`.
   */
  answer(request: PluginRequest): unknown
}

export interface PluginPage {
  /** The last part of its address. */
  readonly name: string
  /** In the navigation, and the heading. */
  readonly title: string
  /** The file of an ES module that exports `show(element, { request })`. Browsers read it as it is. */
  readonly file: string
}

/** The parts of plugins with the ids of their owners. */
export type OfPlugin<Part> = Part & { readonly plugin: string }
