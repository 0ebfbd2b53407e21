package VASSAL.build.module.map;

import VASSAL.build.module.Map;

import java.awt.Point;

/** Lives in the engine's package: what happens when the mouse is released is protected. */
public final class MoverAccess {
  private MoverAccess() {}
  /** drop what is in the drag buffer, in map coordinates */
  public static void drop(Map map, Point at) { map.getComponentsOf(PieceMover.class).get(0).performDrop(at); }
}
