export { SpritesClient } from '@fly/sprites'
