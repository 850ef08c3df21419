/** Characters of one plan (clones) are laid out once, and share all that they do not keep. */
import type { FramePlan } from '@isoskin/core/kernels';
import type { Room, Slabs } from './open-slabs.js';
import { type FrameImage, type LaidOut, planImage } from './plan-image.js';

const images = new WeakMap<FramePlan, FrameImage>();
const copiesIn = new WeakMap<Slabs, WeakMap<FrameImage, Set<Copy>>>();

/** The shared part of an image in a slab, and how many characters use it. */
interface Copy {
  readonly room: Room;
  users: number;
  /** Whose surface stands in it. */
  last?: Room;
}

/** Room for a character beside a shared part, written where there is none yet. */
export function openImage(plan: FramePlan, slabs: Slabs, laidOut?: LaidOut) {
  const image = images.get(plan) ?? planImage(plan, laidOut);
  const lists = copiesIn.get(slabs) ?? new WeakMap<FrameImage, Set<Copy>>();
  const copies = lists.get(image) ?? new Set();
  images.set(plan, image);
  copiesIn.set(slabs, lists.set(image, copies));
  for (const copy of copies) {
    const room = slabs.findIn(copy.room.slab.memory.buffer, image.ownBytes);
    if (room) return use(copy, room);
  }
  const copy: Copy = { room: slabs.find(image.sharedBytes, image.ownBytes), users: 0 };
  image.writeShared(copy.room.slab.memory.buffer, copy.room.base);
  copies.add(copy);
  return use(copy, slabs.findIn(copy.room.slab.memory.buffer, image.ownBytes)!);

  function use(copy: Copy, room: Room) {
    copy.users++;
    image.write(room.slab.memory.buffer, room.base, copy.room.base);
    /** Before it is written to; true: nobody else has since the last time. */
    const claim = () => {
      const isOwn = copy.last === room;
      copy.last = room;
      return isOwn;
    };
    const free = () => {
      room.free();
      if (--copy.users > 0) return;
      copy.room.free();
      copies.delete(copy);
    };
    return { image, room, locate: image.locate(room.base, copy.room.base), claim, free };
  }
}
