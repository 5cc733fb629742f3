export { Sandbox } from 'e2b'
