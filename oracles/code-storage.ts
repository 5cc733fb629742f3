export { GitStorage } from '@pierre/storage'
