package VASSAL.launch;

import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.map.MoverAccess;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;

import javax.swing.JComponent;
import javax.swing.JScrollPane;
import javax.swing.JViewport;
import javax.swing.SwingUtilities;
import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;
import java.io.File;
import java.util.*;
import java.util.List;

/** MapTimes MODULE: milliseconds to open a module, to load its set-ups, then, with the largest, to zoom, scroll, drag on the map. */
public final class MapTimes {
  private static final int STEP = 120, SCROLLS = 60, DRAGS = 30;
  private static final double[] ZOOMS = {0.25, 0.42, 0.65, 1.0, 1.6};
  private static final java.util.Map<String, Object> found = new LinkedHashMap<>();

  public static void main(String[] a) {
    Harness.guard(a, () -> run(a[0]));
  }

  static int run(String module) throws Exception {
    long from = System.nanoTime();
    Harness.boot(new File(module));
    found.put("open", since(from));
    final java.util.Map<String, Object> loads = new LinkedHashMap<>();
    PredefinedSetup largest = null;
    int most = -1;
    for (final PredefinedSetup s : Harness.setups()) {
      Harness.phase = "load " + s.getConfigureName();
      from = System.nanoTime();
      Harness.launch(s);
      loads.put(s.getConfigureName(), since(from));
      final int pieces = GameModule.getGameModule().getGameState().getAllPieces().size();
      if (pieces > most) { most = pieces; largest = s; }
      Harness.closeGame();
    }
    found.put("load", loads);
    Harness.launch(largest);
    found.put("largest", largest.getConfigureName());
    found.put("pieces", most);
    final Map map = Map.getMapList().stream().max(Comparator.comparingInt(m -> m.getAllPieces().length)).orElseThrow();
    show(map);
    zoom(map);
    scroll(map);
    drag(map);
    System.gc();
    final Runtime java = Runtime.getRuntime();
    found.put("memory_mb", (java.totalMemory() - java.freeMemory()) / 1_000_000);
    return Harness.finish(found);
  }

  private static long since(long from) { return (System.nanoTime() - from) / 1_000_000; }

  private static void show(Map map) throws Exception {
    Harness.phase = "show";
    Harness.edt(() -> {
      final Dimension screen = Toolkit.getDefaultToolkit().getScreenSize();
      final Window w = SwingUtilities.getWindowAncestor(map.getComponent());
      w.setBounds(0, 0, screen.width, screen.height);
      w.setVisible(true);
      w.validate();
      return null;
    });
    Thread.sleep(2000);
    Harness.settle();
  }

  /** one painting of what is seen, in milliseconds */
  private static double paint(Map map) throws Exception {
    return Harness.edt(() -> {
      final JComponent view = (JComponent) map.getComponent();
      final long from = System.nanoTime();
      view.paintImmediately(view.getVisibleRect());
      return (System.nanoTime() - from) / 1e6;
    });
  }

  /** to each zoom: until something is painted, until the board's scaled tiles have come, then a painting with all of them */
  private static void zoom(Map map) throws Exception {
    Harness.phase = "zoom";
    final java.util.Map<String, Object> times = new LinkedHashMap<>();
    for (final double to : ZOOMS) {
      final long from = System.nanoTime();
      Harness.edt(() -> { map.getZoomer().setZoomFactor(to); return null; });
      paint(map);
      final long first = since(from);
      double last = paint(map);
      for (int i = 0, calm = 0; i < 200 && calm < 3; i++) {   // tiles come in threads of their own, each asks for another painting
        Thread.sleep(20);
        final double next = paint(map);
        calm = Math.abs(next - last) < 0.25 * last + 2 ? calm + 1 : 0;
        last = next;
      }
      final List<Double> again = new ArrayList<>();
      for (int i = 0; i < 9; i++) again.add(paint(map));
      times.put(String.valueOf(to), List.of(first, median(again)));
    }
    found.put("zoom_first_and_again", times);
  }

  private static void scroll(Map map) throws Exception {
    Harness.phase = "scroll";
    Harness.edt(() -> { map.getZoomer().setZoomFactor(1.0); return null; });
    final JComponent view = (JComponent) map.getComponent();
    final JViewport port = ((JScrollPane) SwingUtilities.getAncestorOfClass(JScrollPane.class, view)).getViewport();
    final List<Double> steps = new ArrayList<>();
    for (int i = 0; i < SCROLLS; i++) {
      final Point to = new Point(600 + i * STEP, 1800 + i * STEP / 4);
      final double ms = Harness.edt(() -> {
        final long from = System.nanoTime();
        final Dimension all = view.getSize(), seen = port.getExtentSize();
        port.setViewPosition(new Point(Math.min(to.x, all.width - seen.width), Math.min(to.y, all.height - seen.height)));
        view.paintImmediately(view.getVisibleRect());
        return (System.nanoTime() - from) / 1e6;
      });
      steps.add(ms);
      Thread.sleep(15);
    }
    found.put("scroll_median_and_worst", List.of(median(steps), Collections.max(steps)));
  }

  /** whole stacks, each moved two hexes and painted */
  private static void drag(Map map) throws Exception {
    Harness.phase = "drag";
    final List<Stack> stacks = new ArrayList<>();
    for (final GamePiece p : map.getPieces()) if (p instanceof Stack && ((Stack) p).getPieceCount() > 1) stacks.add((Stack) p);
    stacks.sort(Comparator.comparingInt(s -> -s.getPieceCount()));
    final List<Double> steps = new ArrayList<>();
    for (final Stack s : stacks.subList(0, Math.min(DRAGS, stacks.size()))) {
      final Point at = new Point(s.getPosition().x + 125, s.getPosition().y);
      Harness.edt(() -> { map.centerAt(s.getPosition()); return null; });
      paint(map);
      steps.add(Harness.edt(() -> {
        final JComponent view = (JComponent) map.getComponent();
        final long from = System.nanoTime();
        final DragBuffer d = DragBuffer.getBuffer();
        d.clear();
        d.add(s);
        MoverAccess.drop(map, at);
        view.paintImmediately(view.getVisibleRect());
        return (System.nanoTime() - from) / 1e6;
      }));
    }
    found.put("drag_median_and_worst", List.of(median(steps), Collections.max(steps)));
  }

  private static double median(List<Double> of) {
    final List<Double> l = new ArrayList<>(of);
    Collections.sort(l);
    return l.get(l.size() / 2);
  }
}
