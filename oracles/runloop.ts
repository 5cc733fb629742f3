export { Runloop } from '@runloop/api-client'
