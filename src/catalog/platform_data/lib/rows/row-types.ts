// The kinds of rows of all platforms. Each names its fields once: for the schema, and for reading an actor's row. The
// paths are those of the actors of the table and of others that operators use, so another actor needs no mapping.
import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import {
  flagField,
  numberField,
  type RowField,
  readField,
  textField,
  timeField,
  urlField,
} from './row-fields.ts'

const authorPaths = ['author.name', 'authorMeta.name', 'ownerUsername', 'user.name', 'channelName']
const post = {
  id: textField('Identifier of the post.', 'postId', 'id', 'shortCode', 'tweetId', 'videoId'),
  url: urlField('Its address.', 'webVideoUrl', 'linkedinUrl', 'postUrl', 'url', 'twitterUrl'),
  title: textField('Its title, where the platform has one.', 'title'),
  text: textField('What it says.', 'fullText', 'text', 'caption', 'content', 'body', 'description'),
  author: textField(
    'Name of the account that posted it.',
    'author.userName',
    ...authorPaths,
    'username',
    'pageName',
  ),
  author_url: urlField(
    'Address of that account.',
    'author.linkedinUrl',
    'author.url',
    'authorMeta.profileUrl',
    'user.profileUrl',
    'channelUrl',
  ),
  published_at: timeField(
    'When it was posted, UTC.',
    'createTimeISO',
    'postedAt.timestamp',
    'postedAt.date',
    'timestamp',
    'createdAt',
    'time',
    'date',
  ),
  likes: numberField(
    'Likes or upvotes.',
    'likeCount',
    'likesCount',
    'diggCount',
    'engagement.likes',
    'upVotes',
    'likes',
  ),
  comments: numberField(
    'Comments or replies.',
    'replyCount',
    'commentsCount',
    'commentCount',
    'engagement.comments',
    'numberOfComments',
    'comments',
  ),
  shares: numberField(
    'Times that it was shared.',
    'retweetCount',
    'shareCount',
    'engagement.shares',
    'shares',
  ),
  views: numberField(
    'Times that it was seen or played.',
    'viewCount',
    'playCount',
    'videoPlayCount',
    'videoViewCount',
    'viewsCount',
  ),
  language: textField('Its language, by its code.', 'lang', 'textLanguage', 'language'),
}

const comment = {
  id: textField('Identifier of the comment.', 'cid', 'reviewId', 'commentId', 'id'),
  url: urlField('Its address.', 'reviewUrl', 'commentUrl', 'linkedinUrl', 'url'),
  text: textField('What it says.', 'comment', 'commentary', 'reviewDescription', 'text', 'body'),
  title: textField('Its title, where it has one.', 'reviewTitle', 'title'),
  author: textField(
    'Name of who wrote it.',
    'author.name',
    'actor.name',
    'uniqueId',
    'author',
    'username',
    'userName',
  ),
  author_url: urlField(
    'Address of who wrote it.',
    'author.linkedinUrl',
    'actor.linkedinUrl',
    'author.url',
    'userProfileLink',
  ),
  published_at: timeField(
    'When it was written, UTC.',
    'createTimeISO',
    'createdAtTimestamp',
    'createdAt',
    'publishedAt',
    'date',
    'createTime',
  ),
  likes: numberField(
    'Likes, upvotes or votes for it.',
    'diggCount',
    'voteCount',
    'engagement.likes',
    'upVotes',
    'likes',
  ),
  replies: numberField(
    'Replies to it.',
    'replyCommentTotal',
    'replyCount',
    'engagement.comments',
    'numberOfreplies',
    'numberOfReplies',
  ),
  reply_to: textField('Identifier of what it replies to.', 'replyToCid', 'repliesToId', 'parentId'),
  rating: numberField('Stars, of a review.', 'ratingScore', 'stars', 'rating'),
  subject_url: urlField(
    'Address of the post, video or product below which it stands.',
    'videoWebUrl',
    'pageUrl',
    'postUrl',
    'query.post',
    'productUrl',
    'input',
  ),
}

const profile = {
  id: textField('Identifier of the account.', 'id', 'userId', 'pk'),
  url: urlField('Its address.', 'linkedinUrl', 'profileUrl', 'url'),
  username: textField(
    'Name of the account.',
    'username',
    'screen_name',
    'userName',
    'publicIdentifier',
  ),
  name: textField('Name as displayed.', 'fullName', 'name', 'displayName'),
  first_name: textField('First name.', 'firstName'),
  last_name: textField('Last name.', 'lastName'),
  headline: textField('Profession or motto, in a line.', 'headline', 'occupation'),
  about: textField(
    'What the account says of itself.',
    'biography',
    'about',
    'summary',
    'description',
  ),
  location: textField('Place.', 'location.linkedinText', 'location.parsed.text', 'location'),
  company: textField(
    'Company of the present position.',
    'currentPosition.0.companyName',
    'experience.0.companyName',
    'currentPositions.0.companyName',
  ),
  website: urlField('Link on the profile.', 'externalUrl', 'website', 'websites.0'),
  followers: numberField(
    'Accounts that follow it.',
    'followersCount',
    'followers_count',
    'followerCount',
    'followers',
  ),
  following: numberField(
    'Accounts that it follows.',
    'followsCount',
    'friends_count',
    'followingCount',
    'connectionsCount',
  ),
  posts: numberField('Posts of the account.', 'postsCount', 'statuses_count', 'mediaCount'),
  is_verified: flagField('Whether the platform has verified it.', 'verified', 'isVerified'),
  image_url: urlField(
    'Address of its picture.',
    'profilePicUrlHD',
    'profilePicUrl',
    'profile_image_url_https',
    'photo',
    'profilePicture.url',
  ),
}

const place = {
  id: textField('Identifier of the place.', 'placeId', 'id', 'cid'),
  url: urlField('Its page on the platform.', 'url', 'link'),
  name: textField('Name.', 'title', 'name'),
  category: textField('Kind of place.', 'categoryName', 'propertyType', 'roomType', 'category'),
  description: textField('What it offers.', 'description'),
  address: textField('Address.', 'address', 'street'),
  city: textField('City.', 'city', 'location', 'locationSubtitle'),
  country: textField('Country, by its code where the actor tells it.', 'countryCode', 'country'),
  postal_code: textField('Postal code.', 'postalCode'),
  latitude: numberField('Degrees north.', 'location.lat', 'coordinates.latitude', 'lat'),
  longitude: numberField('Degrees east.', 'location.lng', 'coordinates.longitude', 'lng'),
  phone: textField('Phone.', 'phone', 'phoneUnformatted'),
  website: urlField('Its own site.', 'website'),
  rating: numberField('Mean rating.', 'totalScore', 'rating.guestSatisfaction', 'rating', 'stars'),
  reviews: numberField('Number of reviews.', 'reviewsCount', 'rating.reviewsCount'),
  price: textField('Price or price level, as written.', 'price.price', 'price.label', 'price'),
  capacity: numberField('Guests, of a home.', 'personCapacity', 'capacity'),
  is_closed: flagField('Whether it has closed for good.', 'permanentlyClosed'),
}

const product = {
  id: textField('Number of the product at the shop.', 'asin', 'productId', 'sku', 'id'),
  url: urlField('Its page.', 'url', 'productUrl'),
  title: textField('Title.', 'title', 'name'),
  brand: textField('Brand.', 'brand', 'manufacturer'),
  category: textField('Category.', 'breadCrumbs', 'category'),
  description: textField('What the shop says of it.', 'description'),
  price: numberField('Price.', 'price.value', 'price.amount', 'price'),
  currency: textField(
    'Currency of the price, as the shop writes it.',
    'price.currency',
    'currency',
  ),
  list_price: numberField('Price before a reduction.', 'listPrice.value', 'listPrice'),
  rating: numberField('Mean rating.', 'stars', 'rating', 'averageRating'),
  reviews: numberField('Number of ratings.', 'reviewsCount', 'ratingsCount', 'reviews'),
  is_in_stock: flagField('Whether it can be bought.', 'inStock', 'isAvailable'),
  seller: textField('Who sells it.', 'seller.name', 'seller'),
  image_url: urlField('Address of its picture.', 'thumbnailImage', 'image', 'imageUrl'),
}

const job = {
  id: textField('Identifier of the posting.', 'id', 'jobId', 'jobkey'),
  url: urlField('Its page.', 'linkedinUrl', 'url', 'jobUrl', 'link'),
  title: textField('Title of the job.', 'title', 'positionName', 'jobTitle'),
  company: textField('Who hires.', 'company.name', 'companyName', 'company'),
  company_url: urlField('Page of the company.', 'company.linkedinUrl', 'companyUrl'),
  location: textField(
    'Place of work.',
    'location.linkedinText',
    'location.parsed.text',
    'location',
  ),
  description: textField('The posting.', 'descriptionText', 'description'),
  employment_type: textField(
    'Full time, part time and so on.',
    'employmentType',
    'jobType.0',
    'jobType',
  ),
  workplace: textField('On site, hybrid or remote.', 'workplaceType', 'workType'),
  salary: textField('Pay, as written.', 'salary.text', 'salary'),
  published_at: timeField(
    'When it was posted, UTC.',
    'postedDate',
    'postingDateParsed',
    'postedAtTimestamp',
    'postedAt',
    'datePosted',
  ),
  applicants: numberField('People who have applied.', 'applicants', 'applicantsCount'),
  apply_url: urlField(
    'Where to apply.',
    'applyMethod.companyApplyUrl',
    'externalApplyLink',
    'applyUrl',
  ),
}

const fieldsOf = { post, comment, profile, place, product, job }
export type RowType = keyof typeof fieldsOf

/** The schema of a row that is alike on all platforms. */
export const rowSchema = (type: RowType) =>
  z.object({
    type: z.literal(type).describe('Kind of row.'),
    ...Object.fromEntries(
      Object.entries(fieldsOf[type]).map(([name, { schema }]) => [name, schema]),
    ),
  })

/** Reads an actor's row. What it does not tell is null. */
export function readRow(type: RowType, raw: unknown): Readonly<Record<string, unknown>> {
  const row = membersOf(raw)
  const fields: Readonly<Record<string, RowField>> = fieldsOf[type]
  const read = Object.entries(fields).map(([name, field]) => [name, readField(row, field)])
  return { type, ...withName(Object.fromEntries(read)) }
}

/** Some actors give a person's names apart only. */
function withName(row: Readonly<Record<string, unknown>>) {
  const { name, first_name: first, last_name: last } = row
  const parts = [first, last].filter((part) => typeof part === 'string')
  return name === null && parts.length > 0 ? { ...row, name: parts.join(' ') } : row
}
