// JSON-RPC to one node. No error names what was sent or the address of the node, which often contains a key.
import { Pool } from 'undici'
import { membersOf } from '#core/input/members.ts'
import { readBytes } from '#platform/http/body.ts'
import { errorCodeOf, errorNameOf } from '#platform/thrown.ts'
import { ChainUnavailable, type Hex } from './chain.ts'
import type { RpcLog, RpcReceipt } from './dollar.ts'

const connectionsMax = 16
const replyBytesMax = 8 * 1024 * 1024
const rpcTimeoutMs = 10_000

export interface RpcCall {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** An error from the node. Its text is read inside this folder and never passed on. */
export interface RpcFailure {
  readonly code: number
  readonly message: string
  /** The revert data of a contract. */
  readonly data: Hex | undefined
}

interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly baseFeePerGas?: Hex
}

/** What a node answers to each method. */
interface RpcResults {
  readonly eth_blockNumber: Hex
  readonly eth_call: Hex
  readonly eth_chainId: Hex
  readonly eth_estimateGas: Hex
  readonly eth_gasPrice: Hex
  readonly eth_getBalance: Hex
  readonly eth_getBlockByNumber: RpcBlock
  readonly eth_getCode: Hex
  readonly eth_getLogs: RpcLog[]
  readonly eth_getTransactionCount: Hex
  readonly eth_getTransactionReceipt: RpcReceipt | null
  readonly eth_maxPriorityFeePerGas: Hex
}

export type RpcMethod = keyof RpcResults

export type RpcReply = { readonly result: unknown } | { readonly failure: RpcFailure }

export interface Rpc {
  /** Several calls in one request; a reply for each, in order. Throws ChainUnavailable. */
  ask(calls: readonly RpcCall[]): Promise<readonly RpcReply[]>
  /** The result of one call. Any failure throws ChainUnavailable, so use it only where the node cannot refuse. */
  call<Method extends RpcMethod>(
    method: Method,
    params?: readonly unknown[],
  ): Promise<RpcResults[Method]>
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

export function createRpc(options: { rpcUrl: string; timeoutMs?: number | undefined }): Rpc {
  const url = new URL(options.rpcUrl)
  const timeoutMs = options.timeoutMs ?? rpcTimeoutMs
  const pool = new Pool(url.origin, { connections: connectionsMax })
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username !== '' || url.password !== '') {
    const credential = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(credential).toString('base64')}`
  }

  async function exchange(body: string): Promise<unknown> {
    try {
      const reply = await pool.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const encoding = reply.headers['content-encoding']
      const { bytes } = await readBytes(reply.body, encoding?.toString(), replyBytesMax)
      return JSON.parse(bytes.toString())
    } catch (error) {
      const name = errorNameOf(error)
      const code = errorCodeOf(error)
      throw new ChainUnavailable(`The chain's node did not answer (${code ?? name}).`)
    }
  }

  async function ask(calls: readonly RpcCall[]): Promise<readonly RpcReply[]> {
    const requests = calls.map(({ method, params = [] }, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }))
    const answered = await exchange(JSON.stringify(requests.length === 1 ? requests[0] : requests))
    const replies = Array.isArray(answered) ? answered : [answered]
    return calls.map(({ method }, id) => {
      const reply = replies.find((other) => other?.id === id)
      if (reply?.error !== undefined && reply.error !== null) {
        return { failure: readFailure(reply.error) }
      }
      if (reply === undefined || !('result' in reply)) {
        throw new ChainUnavailable(`The chain's node gave no answer to ${method}.`)
      }
      return { result: reply.result }
    })
  }

  return {
    ask,
    async call(method: RpcMethod, params: readonly unknown[] = []) {
      const [reply] = await ask([{ method, params }])
      return resultOf(reply, method)
    },
    close: () => pool.destroy(),
  }
}

/** Nodes are trusted to answer in the form that the method has. */
export function resultOf<Method extends RpcMethod>(
  reply: RpcReply | undefined,
  method: Method,
): RpcResults[Method] {
  if (reply === undefined || 'failure' in reply) {
    const code = reply === undefined ? '' : ` with error ${reply.failure.code}`
    throw new ChainUnavailable(`The chain's node answered ${method}${code}.`)
  }
  return reply.result as RpcResults[Method]
}

/** Nodes put revert data into `data`, into `data.data`, or nowhere. */
function readFailure(error: { code?: unknown; message?: unknown; data?: unknown }): RpcFailure {
  const inner = membersOf(error.data).data
  const data = [error.data, inner].find(
    (value): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value),
  )
  return { code: Number(error.code), message: String(error.message ?? ''), data }
}
