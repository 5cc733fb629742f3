// What a description tells of an API. Readers of OpenAPI, Swagger and MCP make it; an import stores it as JSON.

import type { ToolFacts } from '#core/calls/tool-facts.ts'
import type { JsonSchema } from '#core/input/json-schema.ts'

/** Its references are `#/$defs/Name`, into the `definitions` of its API. */
export type { JsonSchema }

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** Where a property of the input goes in the request. */
export interface DescribedField {
  /** The property of `input`. Unique in its operation. */
  readonly name: string
  /** `body`: a JSON or raw body. `form` and `file`: a part of a form body, urlencoded or multipart. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'form' | 'file'
  /** Its name in the request. Empty for a `body` or `file` that is the whole body. */
  readonly wireName: string
  /** How an array or an object is written. `json`: as one JSON text. Absent: the default of OpenAPI for its place. */
  readonly style?:
    | 'simple'
    | 'label'
    | 'matrix'
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'tabDelimited'
    | 'deepObject'
    | 'json'
  /** Absent: true for the style `form`, else false. */
  readonly explode?: boolean
  /** Characters such as `/` and `:` are sent as they are. Only for `query`. */
  readonly allowReserved?: boolean
  /** Of this part of a multipart body. */
  readonly contentType?: string
  readonly required: boolean
}

/**
 * Where a key goes. `header`, `query`, `cookie` and `env` have a name; `prefix` stands before the key: `Token `. `env`
 * is a variable in the environment of a program.
 */
export interface DescribedKey {
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie' | 'env'
  readonly name?: string
  readonly prefix?: string
}

/** Where the operator's key goes. */
export type DescribedSecurity =
  | 'none'
  | (DescribedKey & {
      /** Further keys of the same request. The credential lists all of them, with colons between: `id:secret`. */
      readonly and?: readonly DescribedKey[]
    })

/** How the next page is asked for. */
export type DescribedPagination =
  /** The value at this JSON Pointer in the answer goes into `field`. */
  | { readonly kind: 'cursor'; readonly field: string; readonly next: string }
  /** `field` counts pages or rows. */
  | { readonly kind: 'page' | 'offset'; readonly field: string }
  /** The header `Link` has the query of the next page. */
  | { readonly kind: 'link' }

/** One operation of an API, as its description tells it. */
export interface DescribedOperation {
  /** The name of the action: `[a-z0-9]+(-[a-z0-9]+)*`, at most 64 characters, unique in the import. */
  readonly name: string
  /**
   * What makes it the same operation in a later description: `GET /pets/{id}`, or the operation's own id. Prices and
   * retirement follow it.
   */
  readonly key: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{placeholders}`, each the `wireName` of a path field. */
  readonly path: string
  /** The base address, `https` or `http`, without a slash at its end. Of a tool: its server, or `program:`. */
  readonly server: string
  readonly fields: readonly DescribedField[]
  /** An object whose properties are the fields. The content of a `file` is a string. */
  readonly input: JsonSchema
  readonly bodyType: 'json' | 'form' | 'multipart' | 'raw' | undefined
  /** The content type of a `json` or `raw` body, where it is not the usual one. */
  readonly bodyContentType?: string
  /** Of a successful answer. Undefined: anything. */
  readonly output: JsonSchema | undefined
  /** Content types of a successful answer, the one that `output` describes first. Empty: unknown. */
  readonly outputTypes: readonly string[]
  readonly security: DescribedSecurity
  /** Tells what the server says of a tool. Absent: the tool was sold before the gateway kept it. */
  readonly tool?: ToolFacts
  readonly pagination: DescribedPagination | undefined
  /** An input that fits `input`. */
  readonly example: { readonly [name: string]: Json }
}

export interface LeftOutPart {
  /** `GET /pets/{id}`, or the place in the document. */
  readonly where: string
  readonly line?: number
  /** A sentence. */
  readonly why: string
}

export interface DescribedApi {
  readonly title: string
  readonly version: string
  /** Base addresses, the preferred one first. */
  readonly servers: readonly string[]
  readonly operations: readonly DescribedOperation[]
  /** The schemas that those of the operations refer to, by name, once for all: large APIs share most of them. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly leftOut: readonly LeftOutPart[]
}
