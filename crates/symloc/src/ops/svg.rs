//! The graph as a picture. The crate `layout` places blocks in layers, after Sugiyama, Tagawa and Toda.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::geometry::{Point, get_size_for_str};
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

use super::graph::Graph;
use super::told::Subject;

/// The picture as text. All of it has one style, since the crate writes styles in no order.
pub(crate) fn text(graph: &Graph, subject: &Subject) -> String {
    let style = StyleAttr::simple();
    let mut picture = VisualGraph::new(Orientation::TopToBottom);
    let mut handles = Vec::new();
    for node in &graph.nodes {
        let label = graph.node_text(node, subject).join("\n");
        // Letters are narrower than they are high.
        let size = get_size_for_str(&label, style.font_size);
        let size = Point::new(size.x * 0.65 + 20.0, size.y + 20.0);
        let shape = ShapeKind::new_box(&label);
        handles.push(picture.add_node(Element::create(shape, style.clone(), Orientation::TopToBottom, size)));
    }
    for arc in &graph.arcs {
        let label = graph.arc_text(arc, subject).join(", ");
        picture.add_edge(Arrow::simple(&label), handles[arc.from], handles[arc.to]);
    }
    let mut writer = SVGWriter::new();
    picture.do_it(false, false, false, &mut writer);
    writer.finalize()
}
