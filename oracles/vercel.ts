export { Sandbox } from '@vercel/sandbox'
